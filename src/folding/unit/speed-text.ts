/* By which frames a speed was measured, as text. */
import { t } from '@lingui/core/macro'
import type { SpeedBasis } from './watched.ts'

const names: Readonly<Record<SpeedBasis, string>> = {
  usual: t`the frames of late`,
  last: t`the last frame`,
  three: t`the last three frames`,
  all: t`all frames`,
}

export function speedName(basis: SpeedBasis): string {
  return names[basis]
}

/** 'By the last frame'; undefined `by`: the client's estimate. */
export function speedText(by: SpeedBasis | undefined): string {
  return by === undefined ? t`Estimated by the machine` : t`By ${names[by]}`
}
