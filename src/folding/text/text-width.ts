const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/gu

/** About how wide a text is, in digits (`ch` in style sheets). Letters of Chinese, Japanese and Korean are wider. */
export function textWidth(text: string): number {
  return Math.ceil(text.length + 0.7 * (text.match(WIDE)?.length ?? 0))
}

/** The width of its longest word. */
export function wordWidth(text: string): number {
  return Math.max(...text.split(/\s/).map(textWidth))
}
