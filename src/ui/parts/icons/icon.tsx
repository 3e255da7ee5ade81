import { actionIcons } from './action-icons.tsx'
import styles from './icon.module.css'
import { stateIcons } from './state-icons.tsx'
import { classNames } from '../class-names.ts'

const icons = { ...stateIcons, ...actionIcons }

/** Icons that point forwards or backwards in the text. */
const DIRECTED: ReadonlySet<string> = new Set<IconName>(['chevron-left', 'chevron-right', 'logout', 'external', 'log'])

export type IconName = keyof typeof icons

/** A decorative icon, hidden from screen readers: the text beside it or the control's label names it. */
export function Icon({ name }: { name: IconName }) {
  const drawn = icons[name]
  return (
    <svg
      className={classNames(styles['icon'], DIRECTED.has(name) && styles['directed'])}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {typeof drawn === 'string' ? <path d={drawn} /> : drawn}
    </svg>
  )
}
