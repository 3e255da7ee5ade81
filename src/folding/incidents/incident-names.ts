/* What kinds of incidents there are; what is known of each is in incident-kinds.ts. */

/** All kinds, in the order in which the settings list them. */
export const INCIDENT_KINDS = [
  'stopped',
  'failing',
  'gpu-driver',
  'gpu-gone',
  'stalled',
  'deadline',
  'timeout',
  'unreachable',
  'excessive',
  'waiting',
  'unsent',
  'full',
  'starved',
  'slow',
  'clock',
  'too-old',
  'outdated',
  'nonsense',
  'shared',
  'ineffective',
  'silent',
  'forgotten',
] as const

export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** `grave`: points are being lost. `warning`: they may be. `notice`: nothing is lost, but something is not as it should be. */
export const GRAVITIES = ['grave', 'warning', 'notice'] as const
export type Gravity = (typeof GRAVITIES)[number]

/** The longest text of what a rule found, in characters. */
export const LONGEST_EVIDENCE = 1000
