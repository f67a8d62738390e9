/** Characters that are not drawn, bidi overrides among them. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Cyrillic and Greek letters that look like Latin ones: each letter, then the Latin one. */
const alike = new Map(
  [
    ...'аaеeоoрpсcуyхxіiјjѕsԁdһhӏlмmтtкkвbнhАAЕEОOРPСCУYХXІIЈJЅSМMТTКKВBНHαaοoνvρpιiΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX',
  ].reduce<[string, string][]>((pairs, letter, i, all) => {
    if (i % 2 === 0) pairs.push([letter, all[i + 1]!])
    return pairs
  }, []),
)

/**
 * A text as a reader sees it, in lower case: compatibility forms unified (`ｃｌａｉｍ`), invisible characters removed and
 * look-alike letters made Latin, so that the words of the rules are found in it. For matching only, never to be shown.
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(invisible, '')
  return plain.replaceAll(/[\u0370-\u052f]/g, (letter) => alike.get(letter) ?? letter).toLowerCase()
}

/**
 * How a name disguises its text: words that mix Latin with Cyrillic or Greek letters, invisible characters beside Latin letters, overridden
 * direction. Undefined if it does not; joined emoji and text in other scripts do not count.
 */
export function findDisguise(text: string): string | undefined {
  if (/[\u202d\u202e]/.test(text)) return 'direction overridden'
  if (/[a-z\d][\u00ad\u200b-\u200f\u2060-\u2064\ufeff][a-z\d]/i.test(text)) return 'invisible characters'
  const words = text.split(/[^\p{L}\p{M}]+/u)
  const mixed = words.find(
    (word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word),
  )
  return mixed && `look-alike letters in ${mixed}`
}
