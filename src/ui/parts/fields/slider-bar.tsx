import { useLayoutEffect, useRef } from 'react'
import { SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import styles from './slider.module.css'

/** `words`: the value as it is told, such as '6 of 8'. */
type Props = { readonly words: string }

const Thumb = ({ words }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  // React Aria tells a number in the reader's format, and has no place for other words; it writes when the value changes,
  // which is when this is rendered.
  useLayoutEffect(() => input.current?.setAttribute('aria-valuetext', words))
  return <SliderThumb inputRef={input} className={styles['thumb'] ?? ''} />
}

/** What one drags, and how far it is. The height of the bar is `--slider-bar`, that of the thumb `--slider-thumb`. */
export const SliderBar = ({ words }: Props) => (
  <SliderTrack className={styles['track'] ?? ''}>
    {({ state }) => (
      <>
        <span className={styles['fill']} style={{ inlineSize: `${state.getThumbPercent(0) * 100}%` }} />
        <Thumb words={words} />
      </>
    )}
  </SliderTrack>
)
