import { useLayoutEffect, useRef } from 'react'
import { SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import styles from './slider.module.css'

/** `valueText`: the value as text, such as '6 of 8'. */
type Props = { readonly valueText: string }

function Thumb({ valueText }: Props) {
  const input = useRef<HTMLInputElement>(null)
  // React Aria sets `aria-valuetext` to the formatted number and has no option for another text. It does so when the value
  // changes, which also renders this component.
  useLayoutEffect(() => input.current?.setAttribute('aria-valuetext', valueText))
  return <SliderThumb inputRef={input} className={styles['thumb'] ?? ''} />
}

/** Track and thumb of a slider. Their sizes are `--slider-bar` and `--slider-thumb`. */
export function SliderBar({ valueText }: Props) {
  return (
    <SliderTrack className={styles['track'] ?? ''}>
      {({ state }) => (
        <>
          <span className={styles['fill']} style={{ inlineSize: `${state.getThumbPercent(0) * 100}%` }} />
          <Thumb valueText={valueText} />
        </>
      )}
    </SliderTrack>
  )
}
