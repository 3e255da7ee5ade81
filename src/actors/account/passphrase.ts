import { words } from './words.ts'

// Keys are derived with 100,000 iterations only, too few to protect four words.
const WORD_COUNT = 6

/** Six random words, 66 bits of entropy, separated by spaces. */
export function generatePassphrase(): string {
  return Array.from(
    crypto.getRandomValues(new Uint16Array(WORD_COUNT)),
    number => words[number % words.length] ?? '',
  ).join(' ')
}
