/** What the HTTP API takes when nobody says. */
export const usualPort = 4780;
