/** What two processes of a figure send each other. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
