/**
 * A word that readers of this field do not search for, and the usual one. `term` is matched in prose, without code, in any case: in pages and, unless it
 * names something in the code, in comments.
 */
export type Term = { term: string; usual: string; isInCode?: true }

/** Only words that are never right in the prose of this project: a term that sometimes is has no place here. */
export const terms: readonly Term[] = [
  { term: 'tells?|told|telling', usual: 'report, show, return, log' },
  { term: 'hears? of|heard of', usual: 'be notified' },
  { term: '(?<!OpenAPI (?:3.1 )?)documents?', usual: 'metadata', isInCode: true },
  { term: 'left out|leav(?:es?|ing) out', usual: 'skipped, omitted' },
  { term: 'wide logs?|surplus', usual: 'oversized log, over the token limit' },
  { term: 'g[ai]ves? way|giving way', usual: 'yield, run at lower priority' },
  { term: 'lateness', usual: 'delay' },
  { term: 'pieces? of (?:due |background |waiting )?work', usual: 'task' },
  { term: 'work(?:s|ed|ing)? off', usual: 'process, drain' },
  { term: 'owe[sd]?', usual: 'pending' },
  { term: 'anew', usual: 'again, restart, recreate' },
  {
    term: 'houses?|floors?(?! price)|rooms?|doors?',
    usual: 'code base, layer, module or folder, space',
    isInCode: true,
  },
  { term: 'stages', usual: 'staging tables', isInCode: true },
  { term: 'lanes?', usual: 'delivery queue' },
  { term: 'parked', usual: 'suspended, backing off', isInCode: true },
  { term: 'refusals?', usual: 'RPC error (by class), rejection' },
  { term: 'faults?(?! (?:injection|toleran))', usual: 'error, failure', isInCode: true },
  { term: '(?<!in[- ])doubt(?:s|ed|ful)?', usual: 'inconsistent response, disagreement' },
  { term: 'contradictions?', usual: 'inconsistent response, disagreement' },
  { term: 'believe[sd]?', usual: 'trust' },
  { term: 'st(?:and|ands|ood|anding) still', usual: 'stalled' },
  { term: 'another course', usual: 'diverged timeline' },
  { term: '(?:is|are|was|were|be|been) (?:away|silent|gone)', usual: 'unreachable, unresponsive, removed' },
  { term: 'ask(?:s|ed|ing)?', usual: 'request, query, prompt', isInCode: true },
  { term: 'names? no', usual: 'does not specify, contains no' },
  { term: 'h[eo]lds? against', usual: 'validate against' },
  { term: 'narrow(?:s|ed)? (?:\\w+ )?down', usual: 'filter' },
  { term: 'strangers?', usual: 'untrusted, third-party' },
  { term: 'politeness', usual: 'per-host rate limiting' },
  { term: 'own words', usual: 'message' },
  { term: 'notices (?:to|of)', usual: 'operational webhook' },
  { term: 'mend(?:s|ed|ing)?', usual: 'fix, repair' },
  { term: 'seldom', usual: 'rarely, less often' },
  { term: 'lest|wherein|whence|thereof|of whom|that which', usual: 'a plain clause' },
]
