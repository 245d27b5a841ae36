"""Importing a user's file, and what it imports beside it: always as it is on disk now.

* Sources are compiled afresh each time. Python's own `.pyc` files go by whole seconds and sizes, so
  that a quick edit of one digit would run the old code.
* Each folder has its own helper modules: `helpers.py` beside one strategy is not the `helpers.py`
  beside another. The standard library is never hidden by a file of the same name.
* When any file of a folder has changed, all of that folder is imported again.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from sim.errors import PluginError

RESERVED: Final = sys.stdlib_module_names | {"sim"}
"""Top-level names that never come from a strategy's folder."""


class _FreshLoader(SourceFileLoader):
    """Loads from source, never from a `.pyc`, and keeps what it loaded in its folder's books."""

    def __init__(self, name: str, path: str, folder: "Folder") -> None:
        super().__init__(name, path)
        self._folder = folder

    def get_code(self, fullname: str) -> CodeType:
        """Compile the file as it is now."""
        path = self.get_filename(fullname)
        data = self.get_data(path)
        self._folder.digests[Path(path)] = _digest(data)
        code: CodeType = self.source_to_code(data, path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, which may import others of the folder."""
        self._folder.modules[module.__name__] = module
        try:
            super().exec_module(module)
        except BaseException:
            del self._folder.modules[module.__name__]
            raise


class Folder:
    """A folder of strategies, with the modules imported from it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules: dict[str, ModuleType] = {}
        self.digests: dict[Path, str] = {}
        """What was imported: file, and hash of its contents then."""
        self.files: dict[str, frozenset[Path]] = {}
        """For each strategy's module the files that its import brought in."""

    @property
    def changed(self) -> bool:
        """Tell whether a file was edited or removed since it was imported."""
        return any(_digest_of(path) != digest for path, digest in self.digests.items())

    def find(self, name: str, path: Sequence[str] | None = None) -> ModuleSpec | None:
        """Find a module of this folder by its full name; `path` is that of its package."""
        if name.partition(".")[0] in RESERVED:
            return None
        inside = [str(self.root)] if path is None else [p for p in path if self.holds(Path(p))]
        spec = PathFinder.find_spec(name, inside) if inside else None
        if spec is None:
            return None
        if isinstance(spec.loader, SourceFileLoader) and spec.origin is not None:
            spec.loader = _FreshLoader(name, spec.origin, self)
            spec.cached = None
        elif path is None and spec.origin is None and PathFinder.find_spec(name) is not None:
            return None  # a mere folder does not hide an installed package
        return spec

    def holds(self, path: Path) -> bool:
        """Tell whether a file or folder lies in this folder."""
        return path == self.root or self.root in path.parents

    def load(self, path: Path) -> ModuleType:
        """Import a file under a name of its own; what it raises passes through."""
        name = f"sim_bot_{path.stem}_{_digest(str(path).encode())}"
        if name in self.modules:
            return self.modules[name]
        spec = spec_from_file_location(name, path, loader=_FreshLoader(name, str(path), self))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        before = set(self.digests)
        with self.active():
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
        self.files[name] = frozenset(set(self.digests) - before)
        return module

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let imports find this folder's modules first, and no other strategy's."""
        before = _FINDER.active
        _FINDER.activate(self)
        try:
            yield
        finally:
            _FINDER.activate(before)

    def drop(self) -> None:
        """Forget what was imported; running strategies keep their own."""
        for name in self.modules:
            sys.modules.pop(name, None)
        self.modules.clear()
        self.digests.clear()
        self.files.clear()


class _Finder:
    """Finds modules beside strategies; Python asks it for names that are not imported yet.

    While a strategy is being imported, its folder is active: it is the only one asked, and comes
    before installed packages, as the folder of a script does. Later, when a strategy imports
    something in the middle of a game, nobody knows whose import it is: installed packages come
    first, a name that only one folder holds is found there, and others are refused.
    """

    def __init__(self) -> None:
        self.folders: dict[Path, Folder] = {}
        self.active: Folder | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer Python's question for a module."""
        if self.active is not None:
            return self.active.find(name, path)
        if path is None and (not self.folders or PathFinder.find_spec(name) is not None):
            return None
        owners = [folder for folder in self.folders.values() if folder.find(name, path)]
        if len(owners) > 1:
            first, second = (str(folder.root / name) for folder in owners[:2])
            raise ImportError(
                f"{name!r} may be {first!r} or {second!r}: import it at the top of the file, "
                "not while playing"
            )
        return owners[0].find(name, path) if owners else None

    def activate(self, folder: Folder | None) -> None:
        """Put the helpers of one folder into sys.modules; of all, where no name is held twice."""
        for other in self.folders.values():
            for name, module in other.modules.items():
                is_helper = not name.startswith("sim_bot_")
                if is_helper and sys.modules.get(name) is module:
                    del sys.modules[name]
        self.active = folder
        shown = self.folders.values() if folder is None else (folder,)
        for other in shown:
            for name, module in other.modules.items():
                if folder is not None or not self._is_shared(name, other):
                    sys.modules[name] = module

    def _is_shared(self, name: str, owner: Folder) -> bool:
        """Tell whether another folder holds a module of that name, imported or not."""
        top = name.partition(".")[0]
        return any(other is not owner and other.find(top) for other in self.folders.values())


_FINDER: Final = _Finder()


def folder_of(path: Path) -> Folder:
    """Give the folder of a file, emptied if anything in it has changed since."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    folder = _FINDER.folders.setdefault(path.parent, Folder(path.parent))
    if folder.changed:
        folder.drop()
    return folder


def sources_of(path: Path, root: Path, package: str = "") -> tuple[Path, ...]:
    """Give a file and, sorted, all files under `root` that it imports, directly or not.

    Read from the `import` lines, so it does not matter what else has been imported. `package` is
    the package the file is a module of, if any; then only files of the same top package count.
    """
    top = package.partition(".")[0]
    found: set[Path] = set()
    left = [(path, package)]
    for name in _prefixes(package):
        left += _locate(name, root)
    while left:
        source, inside = left.pop()
        if source in found:
            continue
        found.add(source)
        for name in _imported(source, inside):
            if not top or name.partition(".")[0] == top:
                left += _locate(name, root)
    return tuple(sorted(found))


def check_names(path: Path) -> None:
    """Refuse a helper whose name another module has already: it would silently get that one."""
    helpers = [module for f in _FINDER.folders.values() for module in f.modules.values()]
    for name in sorted(set(_imported(path, ""))):
        there = sys.modules.get(name)
        taken = getattr(there, "__file__", None)
        beside = _locate(name, path.parent)
        if not beside or not taken or there in helpers:
            continue
        if Path(taken).resolve() != beside[0][0].resolve():
            raise PluginError(
                f"{path.name} cannot import {str(beside[0][0])!r}: the module {name!r} is "
                f"{taken!r} already; give the file another name"
            )


def _imported(path: Path, package: str) -> Iterator[str]:
    """Give the full names that a file's import statements may mean, those of packages included."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _prefixes(alias.name)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level and package else []
            parts = parts[: len(parts) - node.level + 1] if node.level else parts
            base = ".".join([*parts, *([node.module] if node.module else [])])
            yield from _prefixes(base)
            for alias in node.names:
                yield f"{base}.{alias.name}"


def _prefixes(name: str) -> Iterator[str]:
    """Give `a`, `a.b`, `a.b.c` for `a.b.c`."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])


def _locate(name: str, root: Path) -> list[tuple[Path, str]]:
    """Give the file under `root` that a full module name means, and its package, if it is there."""
    parts = name.split(".")
    if parts[0] in RESERVED or not all(parts):
        return []
    place = root.joinpath(*parts)
    if (place / "__init__.py").is_file():
        return [(place / "__init__.py", name)]
    if place.with_name(f"{place.name}.py").is_file():
        return [(place.with_name(f"{place.name}.py"), ".".join(parts[:-1]))]
    return []


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def _digest_of(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except OSError:
        return ""
