/** All texts here are folded (`foldText`). Repetitions are bounded, so hostile texts take linear time. */

/** A link with its scheme, or a host with a TLD that spam uses; `node.js` and `vitalik.eth` are not links. */
const link =
  /https?:\/\/[^\s"'<>)\]]{3,200}|\b(?:[a-z\d-]{1,63}\.){1,4}(?:com|net|org|io|xyz|app|site|online|top|live|club|fun|vip|info|pro|shop|store|website|space|lol|gift|gifts|finance|claims|network|art|cc|co|me|ly|gg|link|click|events?|us|ru|cn|in|dev|fi|lat|cfd|sbs|icu|win|promo|cash|money|rewards?)\b(?:\/[^\s"'<>)\]]{0,200})?/g

/** Calls to action with a promise. */
const call =
  /\b(?:claim(?:s|ed|ing|able)?|air-?drop(?:s|ped)?|rewards?|vouchers?|give-?aways?|bonus|coupons?|eligible|free[ -](?:mint|nfts?|tokens?)|you(?:'ve| have)? won)\b/g

/** Calls that real collections also make: to open a box, to redeem a token for a print. */
const mildCall = /\b(?:redeem(?:able|ed)?|mystery box)\b/g

/** Mild calls in a name; most of these words are harmless in a description. */
const mildNameCall = /\b(?:redeem(?:able|ed)?|mystery box|visit|gifts?|winners?|prizes?|unlock|activate)\b/

const amount =
  /(?:[$€£]\s?\d[\d,.]{0,20}|\b\d[\d,.]{0,20}\s?(?:k\s?)?(?:usd[tce]?|dai|w?eth|w?btc|bnb|matic|pol|arb|strk|sol|apt|lido|steth)\b)/

export type Found = { at: number; text: string }

export function findLinks(folded: string): Found[] {
  return find(folded, link)
}

export function findCalls(folded: string): Found[] {
  return find(folded, call)
}

/** Calls that real collections also make: they count only with another sign of spam. */
export function findMildCalls(folded: string): Found[] {
  return find(folded, mildCall)
}

/** A call in a name; a mild one counts only if the name also has a link or an amount of money. */
export function findNameCall(folded: string): string | undefined {
  const [strong] = findCalls(folded)
  if (strong) return strong.text
  const mild = mildNameCall.exec(folded)?.[0]
  return mild && (findLinks(folded).length > 0 || findAmount(folded) !== undefined) ? mild : undefined
}

/** An amount of money: `$5,000`, `2.5 eth`. */
export function findAmount(folded: string): string | undefined {
  return amount.exec(folded)?.[0]
}

/** The first 20 matches in a text. */
function find(folded: string, pattern: RegExp): Found[] {
  const found: Found[] = []
  for (const match of folded.matchAll(pattern)) {
    found.push({ at: match.index, text: match[0] })
    if (found.length === 20) break
  }
  return found
}
