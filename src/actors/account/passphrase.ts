import { words } from './words.ts'

const WORDS = 4

/** Four random words, 44 bits of chance, divided by spaces. */
export const generatePassphrase = (): string =>
  Array.from(crypto.getRandomValues(new Uint16Array(WORDS)), number => words[number % words.length] ?? '').join(' ')
