/** What a colour means. Each has three tokens: text and icon, soft ground, bar. */
export type Tone =
  | 'running'
  | 'finishing'
  | 'waiting'
  | 'paused'
  | 'transfer'
  | 'failed'
  | 'warning'
  | 'done'
  | 'unknown'
  | 'stale'
