/** A suite runs in a context of its own. Errors that Node.js makes come from outside of it, and are errors here as well. */
for (const Kind of [Error, SyntaxError, TypeError])
  Object.defineProperty(Kind, Symbol.hasInstance, {
    value(value) {
      if (this === Kind && Error.isError(value)) return Kind === Error || value.name === Kind.name;
      return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value]);
    },
  });
