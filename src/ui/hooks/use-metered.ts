import { useSyncExternalStore } from 'react'

/** `navigator.connection`, which only some browsers have. */
const connectionOf = (): EventTarget | undefined =>
  'connection' in navigator && navigator.connection instanceof EventTarget ? navigator.connection : undefined

const isMetered = (): boolean => {
  const connection = connectionOf()
  if (connection === undefined) return false
  return (
    ('saveData' in connection && connection.saveData === true) ||
    ('type' in connection && connection.type === 'cellular')
  )
}

/** Whether the browser says that data cost money: they are to be saved, or come by a mobile network. */
export const useMetered = (): boolean =>
  useSyncExternalStore(onChange => {
    const connection = connectionOf()
    connection?.addEventListener('change', onChange)
    return () => connection?.removeEventListener('change', onChange)
  }, isMetered)
