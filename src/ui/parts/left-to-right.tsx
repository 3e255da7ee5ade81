import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'

/** For what is from left to right in every language, such as playback: so are the keys and pointers of its controls. */
export function LeftToRight({ children }: { readonly children: ReactNode }) {
  return <I18nProvider locale="en">{children}</I18nProvider>
}
