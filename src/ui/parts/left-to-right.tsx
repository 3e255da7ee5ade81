import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'

/** For playback, which runs from left to right in every language: so do the keys and pointers of the sliders in it. */
export const LeftToRight = ({ children }: { readonly children: ReactNode }) => (
  <I18nProvider locale="en">{children}</I18nProvider>
)
