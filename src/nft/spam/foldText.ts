/** Invisible characters, including bidi overrides. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Cyrillic and Greek letters that look like Latin ones, each followed by the Latin one. */
const alike = new Map(
  [
    ...'аaеeоoрpсcуyхxіiјjѕsԁdһhӏlмmтtкkвbнhАAЕEОOРPСCУYХXІIЈJЅSМMТTКKВBНHαaοoνvρpιiΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX',
  ].reduce<[string, string][]>((pairs, letter, i, all) => {
    if (i % 2 === 0) pairs.push([letter, all[i + 1]!])
    return pairs
  }, []),
)

/**
 * A text as a reader perceives it, in lower case: compatibility forms unified (`ｃｌａｉｍ`), invisible characters removed, look-alike letters made Latin.
 * Only for matching, never for display.
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(invisible, '')
  return plain.replaceAll(/[\u0370-\u052f]/g, (letter) => alike.get(letter) ?? letter).toLowerCase()
}

/**
 * How a name disguises its text: mixed Latin and Cyrillic or Greek letters in a word, invisible characters beside Latin letters, direction overrides.
 * Undefined if it does not; joined emoji and other scripts do not count.
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
