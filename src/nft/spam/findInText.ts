/** All texts here are folded (`foldText`). Every repetition is bounded, so time stays linear in a hostile text. */

/** A link with its scheme, or a host under an ending that spam uses; `node.js` and `vitalik.eth` are none. */
const link =
  /https?:\/\/[^\s"'<>)\]]{3,200}|\b(?:[a-z\d-]{1,63}\.){1,4}(?:com|net|org|io|xyz|app|site|online|top|live|club|fun|vip|info|pro|shop|store|website|space|lol|gift|gifts|finance|claims|network|art|cc|co|me|ly|gg|link|click|events?|us|ru|cn|in|dev|fi|lat|cfd|sbs|icu|win|promo|cash|money|rewards?)\b(?:\/[^\s"'<>)\]]{0,200})?/g

/** Words of one who wants something done for a reward. */
const call =
  /\b(?:claim(?:s|ed|ing|able)?|redeem(?:able|ed)?|air-?drop(?:s|ped)?|rewards?|vouchers?|give-?aways?|bonus|coupons?|eligible|free[ -](?:mint|nfts?|tokens?)|you(?:'ve| have)? won|mystery box)\b/g

const nameCall = /\b(?:visit|gifts?|winners?|prizes?|unlock|activate)\b/

const amount =
  /(?:[$€£]\s?\d[\d,.]{0,20}|\b\d[\d,.]{0,20}\s?(?:k\s?)?(?:usd[tce]?|dai|w?eth|w?btc|bnb|matic|pol|arb|strk|sol|apt|lido|steth)\b)/

export type Found = { at: number; text: string }

export function findLinks(folded: string): Found[] {
  return find(folded, link)
}

export function findCalls(folded: string): Found[] {
  return find(folded, call)
}

/** As `findCalls`, with words that are harmless in a description and not in a name. */
export function findNameCall(folded: string): string | undefined {
  return findCalls(folded)[0]?.text ?? nameCall.exec(folded)?.[0]
}

/** An amount of money: `$5,000`, `2.5 eth`. */
export function findAmount(folded: string): string | undefined {
  return amount.exec(folded)?.[0]
}

/** The first 20 of a text. */
function find(folded: string, pattern: RegExp): Found[] {
  const found: Found[] = []
  for (const match of folded.matchAll(pattern)) {
    found.push({ at: match.index, text: match[0] })
    if (found.length === 20) break
  }
  return found
}
