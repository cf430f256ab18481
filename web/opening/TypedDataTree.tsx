import { visibleText, type TypedData } from '@perigee/core/message'

type Types = TypedData['types']

/** Typed data as a tree: every member with its name, its type and its value. */
export function TypedDataTree({ data: { types, primaryType, domain, message } }: { data: TypedData }) {
  const named = Object.entries(domain).map(([name, value]) => ({ name, value: String(value) }))
  return (
    <div className="opened" role="region" aria-label="The typed data" tabIndex={0}>
      <h4>Domain: who the data is meant for</h4>
      <ul className="tree">
        {named.map(({ name, value }) => (
          <li key={name}>
            <span className="fine">{name}</span> <Leaf value={value} />
          </li>
        ))}
      </ul>
      <h4>{visibleText(primaryType)}</h4>
      <Struct types={types} type={primaryType} value={message} />
    </div>
  )
}

function Struct({ types, type, value }: { types: Types; type: string; value: unknown }) {
  const values = Object(value) as Record<string, unknown>
  const members = Object.hasOwn(types, type) ? (types[type] ?? []) : []
  return (
    <ul className="tree">
      {members.map((member) => (
        <li key={member.name}>
          <span className="fine">
            {visibleText(member.name)} ({visibleText(member.type)})
          </span>{' '}
          <Value types={types} type={member.type} value={values[member.name]} />
        </li>
      ))}
    </ul>
  )
}

function Value({ types, type, value }: { types: Types; type: string; value: unknown }) {
  if (Array.isArray(value)) {
    const inner = type.slice(0, type.lastIndexOf('['))
    if (value.length === 0) return <span>none</span>
    return (
      <ol className="tree">
        {value.map((one, index) => (
          <li key={index}>
            <Value types={types} type={inner} value={one} />
          </li>
        ))}
      </ol>
    )
  }
  return Object.hasOwn(types, type) ? (
    <Struct types={types} type={type} value={value} />
  ) : (
    <Leaf value={String(value)} />
  )
}

const Leaf = ({ value }: { value: string }) => <code>{value === '' ? '(empty)' : visibleText(value)}</code>
