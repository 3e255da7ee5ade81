type Holder = { foldboardPress?: (() => number) | undefined }

/** Holds a press on a button of the picture of the shell, until the app is there. */
export function holdPress(root: HTMLElement): void {
  let pressed = -1
  const hold = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button !== null) pressed = [...root.querySelectorAll('button')].indexOf(button)
  }
  root.addEventListener('click', hold)
  ;(window as Holder).foldboardPress = () => {
    root.removeEventListener('click', hold)
    return pressed
  }
}

/** Presses the button that took the place of the one that was pressed. The header, which has them, comes before all else. */
export function repeatPress(): void {
  const { foldboardPress } = window as Holder
  ;(window as Holder).foldboardPress = undefined
  const pressed = foldboardPress?.() ?? -1
  document.querySelectorAll('button')[pressed]?.click()
}
