import { actionIcons } from './action-icons.tsx'
import styles from './icon.module.css'
import { stateIcons } from './state-icons.tsx'

const icons = { ...stateIcons, ...actionIcons }

export type IconName = keyof typeof icons

/** A decorative icon, hidden from screen readers: the text beside it or the control's label names it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {icons[name]}
  </svg>
)
