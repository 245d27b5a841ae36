/* A strategy for both games in C, without a JSON library (docs/protocol.md). Build and play it with

       cc -O2 -o bot examples/foreign/bot.c
       sim run --game dou-dizhu -p "cmd:./bot" -p random

   Dou Dizhu: passes in the auction, leads its first play, and follows with its last one.
   Liar's Dice: makes the lowest bid while it counts less than half of the dice, then challenges. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

/* The number after "name": in the line; each name that is asked for here stands there once. */
static long number(const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *place = strstr(line, key);
    return place ? strtol(place + strlen(key), NULL, 10) : -1;
}

/* Writes the first or the last text of the list of legal actions. */
static void write_play(int last) {
    char *begin = strstr(line, "\"legal\":[\"") + 10;
    char *end = strchr(begin, ']') - 1; /* at the last quote */
    if (last) {
        *end = 0;
        char *quote = strrchr(begin, '"');
        if (quote) begin = quote + 1; /* else there is one play only */
    } else {
        *strchr(begin, '"') = 0;
    }
    printf("\"%s\"", begin);
}

static void write_action(void) {
    const char *range = strstr(line, "\"challenge\":");
    if (strstr(line, "\"legal\":[")) {
        int follows = number("to_beat_seat") >= 0;
        write_play(follows);
        return;
    }
    const char *bids = strstr(range, "\"bids\":["); /* the view has a list of that name, too */
    long low = bids ? strtol(bids + 8, NULL, 10) : 0;
    int may_challenge = strncmp(range + 12, "true", 4) == 0;
    if (may_challenge && (!bids || 2 * (low / 6 + 1) >= number("dice_in_play")))
        printf("\"challenge\"");
    else
        printf("%ld", low);
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) {
            printf("{\"id\":%ld,\"protocol\":1}\n", number("id"));
        } else if (strstr(line, "\"type\":\"act\"")) {
            printf("{\"id\":%ld,\"action\":", number("id"));
            write_action();
            printf("}\n");
        }
        fflush(stdout); /* or nobody sees it before the buffer is full */
    }
    return 0;
}
