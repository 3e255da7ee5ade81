import type { Tone as StateTone } from '../../../folding/shared/appearance.ts'

/** What a colour means. Each has three tokens: text and icon, soft ground, bar. */
export type Tone = StateTone | 'warning' | 'stale'
