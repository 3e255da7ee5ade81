import { useEffect, useRef, type RefObject } from 'react'
import { useSearchParams } from 'react-router-dom'
import { askedSetting, type AskedSetting } from '../settings-path.ts'

export function useAskedSetting(): AskedSetting | undefined {
  return askedSetting(useSearchParams()[0])
}

/** For the element around the field of a setting: focuses it when the address of the page leads to it. */
export function useAskedFocus<Place extends HTMLElement>(group: string, setting: string): RefObject<Place | null> {
  const place = useRef<Place>(null)
  const asked = useAskedSetting()
  const isAsked = asked?.group === group && asked.setting === setting
  useEffect(() => {
    if (isAsked) place.current?.querySelector('input')?.focus()
  }, [isAsked])
  return place
}
