import type { Chance } from '../time/chance.ts'

/** Names with characters that paths, JSON pointers, addresses and HTML give a meaning, and those of other scripts. */
const ODD = [
  '100% sure',
  '%2F',
  'Lise/Otto',
  'who? me',
  '#1',
  `"Ada" 'L'`,
  'a\\b c+d',
  '~1~0',
  '..',
  '🧬 lab',
  'مختبر',
  'half \uD83D',
  'constructor',
] as const

/** One of the usual names, or an odd one. */
export function anyName(chance: Chance, usual: readonly string[]): string {
  return (chance.isTrue(0.5) ? chance.oneOf(usual) : chance.oneOf(ODD)) ?? ''
}
