import type { StateTone } from '../../../folding/shared/appearance.ts'

/** Semantic color. Each has three tokens: `--tone-x` for text and icons, `--tone-x-soft` for backgrounds, `--tone-x-bar`. */
export type Tone = StateTone | 'warning' | 'stale'
