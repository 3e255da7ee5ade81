import { words } from './words.ts'

// Keys are derived by 100,000 iterations only, which four words would be too few for.
const WORDS = 6

/** Six random words, 66 bits of chance, divided by spaces. */
export const generatePassphrase = (): string =>
  Array.from(crypto.getRandomValues(new Uint16Array(WORDS)), number => words[number % words.length] ?? '').join(' ')
