const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/u

/** About how wide a text is, in digits (`ch` in style sheets). Letters of Chinese, Japanese and Korean are wider. */
export const textWidth = (text: string): number =>
  Math.ceil(Array.from(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? 1.7 : 1), 0))

/** The width of its longest word. */
export const wordWidth = (text: string): number => Math.max(...text.split(/\s/).map(textWidth))
