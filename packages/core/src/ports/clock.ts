/** Milliseconds since 1970. May jump in either direction: nothing is ordered by it. */
export type Clock = () => number
