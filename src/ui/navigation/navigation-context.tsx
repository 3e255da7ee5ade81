import { createContext, startTransition, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { renderMatches, Router } from 'react-router-dom'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import type { Navigation } from './navigation.ts'

const NavigationContext = createContext<Navigation | undefined>(undefined)

/** Undefined in tests of single components. */
export const useNavigation = (): Navigation | undefined => useContext(NavigationContext)

type Props = {
  readonly navigation: Navigation
  /** Shown when the frame around the screens throws, until the next navigation. */
  readonly renderError: (error: unknown) => ReactNode
}

/** Renders what the routes say about the address. */
export const NavigationProvider = ({ navigation, renderError }: Props) => {
  const [shown, setShown] = useState(navigation.shown)
  useLayoutEffect(
    () =>
      navigation.listen((next, isUrgent) => {
        if (isUrgent) flushSync(() => setShown(next))
        else startTransition(() => setShown(next))
      }),
    [navigation],
  )
  useLayoutEffect(() => navigation.scroll(shown), [navigation, shown])
  const { location, matches } = shown
  const screen = useMemo(() => renderMatches(matches), [matches])
  return (
    <NavigationContext value={navigation}>
      <Router navigator={navigation.navigator} location={location}>
        <ErrorBoundary renderError={renderError} resetKey={location.key}>
          {screen}
        </ErrorBoundary>
      </Router>
    </NavigationContext>
  )
}
