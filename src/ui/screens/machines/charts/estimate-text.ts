import { t } from '@lingui/core/macro'

/** What points over time are made of; `hasLine`: what is usual is drawn. */
export function estimateText(hasLine: boolean): string {
  const text = t`Estimated from work units that ended, as machines report them, and from those that run now.`
  return hasLine
    ? `${text} ${t`The dashed line is the usual PPD: the median of the last 14 days while folding.`}`
    : text
}
