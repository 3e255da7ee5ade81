import { useCallback } from 'react'
import { isImageAllowed } from '../../../folding/address/web-address.ts'
import styles from './foreign-html.module.css'
import { sanitizeInline, sanitizeBlocks } from './purify.ts'

type Props = {
  /** Untrusted HTML. */
  readonly html: string
  /** Its language, a BCP 47 tag; '' when it is unknown. */
  readonly lang: string
  /** Keeps text and emphasis only, as in titles. */
  readonly isInline?: boolean
  /** Origins from which images are loaded, besides the project's own. Other images become links. */
  readonly pictureOrigins?: readonly string[]
}

const none: readonly string[] = []

/** Sanitized untrusted HTML, without scripts, styles, frames and forms. Links open in a new tab. */
export function ForeignHtml({ html, lang, isInline = false, pictureOrigins = none }: Props) {
  const fill = useCallback(
    (element: HTMLElement | null) =>
      element?.replaceChildren(
        isInline ? sanitizeInline(html) : sanitizeBlocks(html, address => isImageAllowed(address, pictureOrigins)),
      ),
    [html, isInline, pictureOrigins],
  )
  return isInline ? (
    <bdi ref={fill} lang={lang} />
  ) : (
    <div ref={fill} lang={lang} dir="auto" className={styles['text']} />
  )
}
