import jsep from "jsep";
import { ToolError } from "../tool";
import { binary, CONSTANTS, FUNCTIONS, negated } from "./operations";
import { literal, type Quantity } from "./quantity";

type ExpressionNode = jsep.CoreExpression | { type: "Group"; inner: ExpressionNode };

// Reduces jsep's JavaScript grammar to arithmetic: `^` is a power; values are numbers and names only.
jsep.removeAllUnaryOps();
jsep.removeAllBinaryOps();
jsep.removeAllLiterals();
for (const sign of ["-", "+"]) jsep.addUnaryOp(sign);
for (const [operator, precedence] of Object.entries({ "+": 9, "-": 9, "*": 10, "/": 10, "%": 10 })) {
  jsep.addBinaryOp(operator, precedence);
}
for (const operator of ["^", "**"]) jsep.addBinaryOp(operator, 11, true);
// Groups are nodes, to distinguish (-2)^2 from -2^2.
jsep.hooks.add("gobble-token", function group(env) {
  if (this.char === "(") env.node = { type: "Group", inner: this.gobbleGroup() };
});

/**
 * Evaluates an arithmetic expression.
 * @throws ToolError that says why the expression is invalid
 */
export function evaluate(expression: string): Quantity {
  return evaluateNode(parse(expression));
}

function parse(expression: string): ExpressionNode {
  try {
    return jsep(expression.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-")) as ExpressionNode;
  } catch (error) {
    throw new ToolError(`The expression cannot be read: ${(error as Error).message}.`);
  }
}

function evaluateNode(node: ExpressionNode): Quantity {
  switch (node.type) {
    case "Literal":
      if (typeof node.value !== "number") throw new ToolError("The expression holds a text, which is not arithmetic.");
      return literal(node.raw);
    case "Identifier":
      return constant(node.name);
    case "Group":
      return evaluateNode(node.inner);
    case "UnaryExpression":
      return node.operator === "-"
        ? negated(evaluateNode(node.argument as ExpressionNode))
        : evaluateNode(node.argument as ExpressionNode);
    case "BinaryExpression":
      return ["^", "**"].includes(node.operator)
        ? power(node.left as ExpressionNode, node.right as ExpressionNode)
        : binary(node.operator, evaluateNode(node.left as ExpressionNode), evaluateNode(node.right as ExpressionNode));
    case "CallExpression":
      return applyFunction(node.callee as ExpressionNode, node.arguments as ExpressionNode[]);
    case "Compound":
      throw new ToolError(
        node.body.length
          ? "This is more than one expression: an operator is missing, or a number has a thousands separator."
          : "The expression is empty.",
      );
    default:
      throw new ToolError(`The expression holds what is not arithmetic (${node.type}).`);
  }
}

/** A sign before a power applies to the power: -2^2 is -4. */
function power(left: ExpressionNode, right: ExpressionNode): Quantity {
  if (left.type !== "UnaryExpression") return binary("^", evaluateNode(left), evaluateNode(right));
  const inner = power(left.argument as ExpressionNode, right);
  return left.operator === "-" ? negated(inner) : inner;
}

function constant(name: string): Quantity {
  const found = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  if (found === undefined)
    throw new ToolError(`There is no constant "${name}"; there is ${Object.keys(CONSTANTS).join(", ")}.`);
  return found;
}

function applyFunction(callee: ExpressionNode, given: ExpressionNode[]): Quantity {
  const name = callee.type === "Identifier" ? callee.name : "";
  const definition = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : null;
  if (!definition)
    throw new ToolError(`There is no function "${name}"; there is ${Object.keys(FUNCTIONS).join(", ")}.`);
  const [least, most] = definition.takes;
  if (given.length < least || given.length > most) {
    const count = least === most ? String(least) : most === Infinity ? `${least} or more` : `${least} or ${most}`;
    throw new ToolError(`${name} takes ${count} numbers, not ${given.length}.`);
  }
  return definition.of(...given.map(evaluateNode));
}
