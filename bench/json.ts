/** What crosses the border between two processes of a figure. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
