// A strategy for Liar's Dice in JavaScript. One JSON object a line comes in on standard input, one
// goes out for each that has an "id" (docs/protocol.md). Play it with
//
//     sim run --game liars-dice -p "cmd:node examples/foreign/bot.js" -p honest
//
// It believes a bid that its own dice and a third of the others' support, and bids the lowest such;
// "--bold 2" lets it believe two dice more. What it answers follows from the message alone, so it
// keeps nothing from one message to the next, and needs no care with games that interleave.

const readline = require("node:readline");

const bold = process.argv[2] === "--bold" ? Number(process.argv[3]) : 0;

function believes(view, count, face) {
  const wild = !view.locked && face !== 1 ? view.own[1] : 0;
  const hidden = view.dice_in_play - view.own_dice;
  const chance = view.locked || face === 1 ? 1 / 6 : 1 / 3;
  return count <= view.own[face] + wild + hidden * chance + bold;
}

function faceOf(view, bid) {
  const rank = bid % 6; // 0 is the weakest face of its count
  return view.ones_high ? ((rank + 1) % 6) + 1 : rank + 1;
}

function choose(message) {
  const [low, high] = message.bids ?? [1, 0];
  for (let bid = low; bid <= high; bid++) {
    const count = Math.floor(bid / 6) + 1;
    if (believes(message.view, count, faceOf(message.view, bid))) return bid;
  }
  return message.challenge ? "challenge" : low;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    console.error(`playing ${message.plays}`); // standard error goes to the run's log
    console.log(JSON.stringify({ id: message.id, protocol: 1 }));
  } else if (message.type === "act") {
    console.log(JSON.stringify({ id: message.id, action: choose(message) }));
  }
});
