/** The same function, which computes only once for an object, for as long as there is that object. */
export function computedOnce<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return key => {
    const value = values.get(key) ?? compute(key)
    values.set(key, value)
    return value
  }
}
