import type { Tone as StateTone } from '../../../folding/look.ts'

/** What a colour means. Each has three tokens: text and icon, soft ground, bar. */
export type Tone = StateTone | 'warning' | 'stale'
