import { useCallback } from 'react'
import { classNames } from '../class-names.ts'
import styles from './foreign-html.module.css'
import { inlinePart, wholePart } from './purify.ts'

type Props = {
  /** HTML that somebody outside wrote. */
  readonly html: string
  /** Words and emphasis alone, as in a title: no paragraphs, pictures or links. */
  readonly isInline?: boolean
}

/** HTML of strangers, of which only what reads is left: no scripts, styles, frames or forms. Links leave for a new tab. */
export const ForeignHtml = ({ html, isInline = false }: Props) => {
  const fill = useCallback(
    (element: HTMLElement | null) => element?.replaceChildren(isInline ? inlinePart(html) : wholePart(html)),
    [html, isInline],
  )
  return isInline ? <span ref={fill} /> : <div ref={fill} className={classNames(styles['text'])} />
}
