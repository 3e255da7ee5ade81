import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './status-mark.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type Props = {
  readonly icon: IconName
  readonly tone: Tone
  readonly text: string
  /** The language of the text, when it is not that of the page. */
  readonly lang?: string | undefined
  /** Shows the icon only; the text stays for screen readers. */
  readonly isBrief?: boolean
}

/** A state as icon, text and color. */
export function StatusMark({ icon, tone, text, lang, isBrief = false }: Props) {
  const Word = lang === undefined ? 'span' : 'bdi'
  return (
    <span className={classNames(styles['mark'], tones[tone])}>
      <Icon name={icon} />
      <Word lang={lang} className={isBrief ? 'visually-hidden' : 'shrink ellipsis'}>
        {text}
      </Word>
    </span>
  )
}
