import type { AnchorHTMLAttributes } from 'react'
import { useHref, useLinkClickHandler, type To } from 'react-router-dom'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & { readonly to: To }

/** A link within the app. Smaller than the router's own, which includes prefetching for frameworks. */
export const Link = ({ to, ...attributes }: Props) => (
  <a {...attributes} href={useHref(to)} onClick={useLinkClickHandler(to)} />
)
