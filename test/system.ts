/**
 * Options of a test that takes several seconds or many processes. `npm run test:system` runs it, `npm test` does not.
 * A file of such tests begins with `// @module-tag system`.
 */
export const system = { tags: ['system'] }
