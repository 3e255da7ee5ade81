import type { EffectKind } from '../../../../folding/fleet/bulk-action.ts'
import type { PartState } from '../../../../machines/fleet/bulk/bulk.context.ts'
import type { Tone } from '../../../parts/display/tone.ts'
import type { IconName } from '../../../parts/icons/icon.tsx'

type Mark = { readonly icon: IconName; readonly tone: Tone }

export const effectMarks: Readonly<Record<EffectKind, Mark>> = {
  change: { icon: 'edit', tone: 'running' },
  same: { icon: 'done', tone: 'done' },
  excluded: { icon: 'minus', tone: 'paused' },
  tooOld: { icon: 'outdated', tone: 'warning' },
  disconnected: { icon: 'offline', tone: 'paused' },
  impossible: { icon: 'fail', tone: 'failed' },
}

export const stateMarks: Readonly<Record<PartState['kind'], Mark>> = {
  waiting: { icon: 'wait', tone: 'waiting' },
  asked: { icon: 'loading', tone: 'transfer' },
  confirmed: { icon: 'done', tone: 'done' },
  ignored: { icon: 'warning', tone: 'warning' },
  failed: { icon: 'fail', tone: 'failed' },
}
