import type { AnchorHTMLAttributes } from 'react'
import { useHref, useLinkClickHandler, type To } from 'react-router-dom'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & { readonly to: To }

/** A way to another place of the dashboard. The router's own link brings along what frameworks built on it prefetch by. */
export const Link = ({ to, ...attributes }: Props) => (
  <a {...attributes} href={useHref(to)} onClick={useLinkClickHandler(to)} />
)
