/* By which frames a speed was measured, as text. */
import { t } from '@lingui/core/macro'
import type { SpeedBasis } from './watched.ts'

const names: Readonly<Record<SpeedBasis, string>> = {
  usual: t`Recent frames`,
  last: t`Last frame`,
  three: t`Last three frames`,
  all: t`All frames`,
}

/** Undefined: the client's estimate. */
export function speedText(by: SpeedBasis | undefined): string {
  return by === undefined ? t`Estimated by the machine` : names[by]
}
