import { useEffect } from 'react'
import { useSystem } from './system-context.ts'

/** Has the API asked for the credits of units of the history while the component is shown. */
export function useCredits(): void {
  const { credits } = useSystem()
  useEffect(() => {
    credits.send({ type: 'credits.open' })
    return () => credits.send({ type: 'credits.close' })
  }, [credits])
}
