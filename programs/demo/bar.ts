import { t } from '@lingui/core/macro'
import styles from './bar.module.css'

/** Says on every screen that what it shows is simulated, and leads to what to do with a computer of one's own. */
export function showBar(document: Document): void {
  const bar = document.createElement('aside')
  bar.className = styles['bar'] ?? ''
  const says = document.createElement('strong')
  says.textContent = t`Simulation`
  const link = document.createElement('a')
  link.href = `${import.meta.env.BASE_URL}help/first-hour`
  link.textContent = t`Use it with your own computer`
  bar.append(says, isSecureContext ? link : t`It needs a page with https://, or one of this computer.`)
  document.body.prepend(bar)
}
