import { useCallback } from 'react'
import { isPictureAllowed } from '../../../folding/shared/web-address.ts'
import { classNames } from '../class-names.ts'
import styles from './foreign-html.module.css'
import { inlinePart, wholePart } from './purify.ts'

type Props = {
  /** HTML that somebody outside wrote. */
  readonly html: string
  /** Words and emphasis alone, as in a title: no paragraphs, pictures or links. */
  readonly isInline?: boolean
  /** Servers whose pictures are loaded, beside the project's own. Other pictures become links. */
  readonly pictureOrigins?: readonly string[]
}

const none: readonly string[] = []

/** HTML of strangers, of which only what reads is left: no scripts, styles, frames or forms. Links leave for a new tab. */
export const ForeignHtml = ({ html, isInline = false, pictureOrigins = none }: Props) => {
  const fill = useCallback(
    (element: HTMLElement | null) =>
      element?.replaceChildren(
        isInline ? inlinePart(html) : wholePart(html, address => isPictureAllowed(address, pictureOrigins)),
      ),
    [html, isInline, pictureOrigins],
  )
  return isInline ? <span ref={fill} /> : <div ref={fill} className={classNames(styles['text'])} />
}
