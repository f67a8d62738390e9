import { findAmount, findCalls, findLinks, findMildCalls, findNameCall } from './findInText.ts'
import { findDisguise, foldText } from './foldText.ts'

/** Facts for the assessment of a collection. Null: unknown, and rules that need it do not match. */
export type SpamFacts = {
  name: string | null
  symbol: string | null
  /** Names and descriptions of sampled tokens, after normalising. The first 50 are used. */
  texts: string[]
  /** Site URLs in its metadata: `external_url`. The first 50 are used. */
  urls: string[]
  /** Number of tokens with sampled metadata, and of different metadata among them. */
  metadata: { sampled: number; distinct: number } | null
  /** Number of current owners in a sample of tokens. */
  owners: number | null
  /** Transfers from the zero address in a sample of the first ones, and the number of their transactions. */
  mints: number | null
  mintTransactions: number | null
  /** Transfers that are neither mints nor burns. */
  transfers: number | null
}

export type SpamRule = {
  /** Stable: operators see it in reasons and look it up in docs/spam.md. */
  id: string
  /** Added to the score if the rule matches; negative if it favours the collection. */
  weight: number
  /** The words or figures that match, as readable text; undefined if the rule does not match. */
  applies(facts: SpamFacts): string | undefined
}

/**
 * Increase it when a rule matches other facts than before: known contracts are assessed only once, and again when this number, the weights or the
 * lists change.
 */
export const rulesVersion = 1

/** Longest distance between a link and a related call to claim, in UTF-16 units. */
const nearby = 200

/** Hosts that hide their target, or invite to a private chat. */
const hiddenHost =
  /^(?:https?:\/\/)?(?:www\.)?(?:bit\.ly|tinyurl\.com|t\.me|t\.ly|cutt\.ly|rb\.gy|is\.gd|shorturl\.at|rebrand\.ly|goo\.gl|s\.id|wa\.me|xn--[a-z\d-]{1,60}\.|[a-z\d-]{1,60}\.xn--|\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$))/

/**
 * The rules of the assessment with their weights. docs/spam.md explains them; a test compares its table with this list. No single rule reaches the
 * default threshold.
 */
export const spamRules: readonly SpamRule[] = [
  {
    id: 'name-link',
    weight: 35,
    applies: ({ name, symbol }) => findLinks(foldText(titles(name, symbol)))[0]?.text,
  },
  {
    id: 'name-call',
    weight: 25,
    applies: ({ name, symbol }) => findNameCall(foldText(titles(name, symbol))),
  },
  {
    id: 'name-amount',
    weight: 25,
    applies: ({ name, symbol }) => findAmount(foldText(titles(name, symbol))),
  },
  {
    id: 'name-disguised',
    weight: 30,
    applies: ({ name, symbol }) => findDisguise(titles(name, symbol)),
  },
  { id: 'text-claim-link', weight: 40, applies: ({ texts }) => first(sampled(texts), findClaimLink) },
  {
    id: 'text-amount',
    weight: 15,
    applies: ({ texts }) =>
      first(sampled(texts), (text) => (findCalls(text).length > 0 ? findAmount(text) : undefined)),
  },
  {
    id: 'hidden-link',
    weight: 15,
    applies: ({ name, symbol, texts, urls }) =>
      first(
        [titles(name, symbol), ...sampled(texts), ...sampled(urls)],
        (text) => findLinks(text).find((l) => hiddenHost.test(l.text))?.text,
      ),
  },
  {
    id: 'airdropped',
    weight: 25,
    applies: (facts) =>
      isAirdrop(facts)
        ? `${facts.mints} mints to ${facts.owners} owners in ${facts.mintTransactions} transactions`
        : undefined,
  },
  {
    id: 'never-moved',
    weight: 10,
    applies: (facts) =>
      isAirdrop(facts) && facts.transfers !== null && facts.transfers < facts.mints! / 100
        ? `${facts.transfers} transfers after ${facts.mints} mints`
        : undefined,
  },
  {
    id: 'same-document',
    weight: 10,
    applies: (facts) =>
      isAirdrop(facts) && facts.metadata && facts.metadata.sampled >= 10 && facts.metadata.distinct === 1
        ? `${facts.metadata.sampled} sampled tokens have the same metadata`
        : undefined,
  },
  {
    id: 'traded',
    weight: -30,
    applies: ({ owners, mints, transfers }) =>
      owners !== null && mints !== null && transfers !== null && owners >= 100 && mints > 0 && transfers >= mints / 2
        ? `${transfers} transfers after ${mints} mints, ${owners} owners`
        : undefined,
  },
]

/** Whether tokens were minted in bulk to others: at least 100 owners, 20 mints per transaction, few per owner. */
function isAirdrop({ owners, mints, mintTransactions }: SpamFacts): boolean {
  if (owners === null || mints === null || mintTransactions === null) return false
  return owners >= 100 && mints >= 20 * Math.max(mintTransactions, 1) && owners >= mints * 0.8
}

/** A call to claim near a link. A mild call counts only if the link hides its target, as honest projects link to their own site. */
function findClaimLink(folded: string): string | undefined {
  const links = findLinks(folded)
  if (links.length === 0) return undefined
  const calls = findCalls(folded)
  const mild = findMildCalls(folded)
  for (const link of links) {
    const counted = hiddenHost.test(link.text) ? [...calls, ...mild] : calls
    const near = counted.find(({ at }) => Math.abs(at - link.at) <= nearby)
    if (near) return `${near.text} … ${link.text}`
  }
  return undefined
}

/** Name and symbol on two lines, so that no match spans both. */
function titles(name: string | null, symbol: string | null): string {
  return `${(name ?? '').slice(0, 1000)}\n${(symbol ?? '').slice(0, 1000)}`
}

/** Sampled texts or URLs of a collection: each kind has its own limit, so that none displaces another. */
function sampled(texts: string[]): string[] {
  return texts.slice(0, 50)
}

/** The first match of `search` in the texts; it gets each folded, and truncated to 5,000 characters. */
function first(texts: string[], search: (folded: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const found = search(foldText(text.slice(0, 5000)))
    if (found !== undefined) return found
  }
  return undefined
}
