import { useEffect, useState } from 'react'
import { whenIdle } from '../../loading/when-idle.ts'

/** False until the browser has painted what is there and has time for more. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let isShown = true
    whenIdle(() => {
      if (isShown) setIdle(true)
    })
    return () => {
      isShown = false
    }
  }, [])
  return isIdle
}
