package dev.rowlock.watch.trace;

import dev.rowlock.watch.trace.SqlShape.Operand;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/** Questions to expressions of the parser. */
final class Expressions {
    private static final Set<String> AGGREGATES = Set.of(
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "bool_or",
            "bool_and",
            "every",
            "array_agg",
            "string_agg",
            "json_agg",
            "jsonb_agg");

    private Expressions() {}

    /**
     * A column that has one of some values.
     *
     * @param qualifier in front of the column
     */
    record Equality(@Nullable String qualifier, String column, List<Operand> values) {}

    /** What the ANDs of a condition connect. */
    static List<Expression> parts(Expression condition) {
        Expression bare = bare(condition);
        if (!(bare instanceof AndExpression and)) {
            return List.of(bare);
        }
        List<Expression> parts = new ArrayList<>(parts(and.getLeftExpression()));
        parts.addAll(parts(and.getRightExpression()));
        return parts;
    }

    static Optional<Equality> equality(Expression part, int parametersBefore) {
        if (part instanceof EqualsTo equals) {
            Expression left = bare(equals.getLeftExpression());
            Expression right = bare(equals.getRightExpression());
            return isColumn(left)
                    ? equality(left, List.of(right), parametersBefore)
                    : equality(right, List.of(left), parametersBefore);
        }
        if (part instanceof InExpression in
                && !in.isNot()
                && in.getRightExpression() instanceof ExpressionList<?> list) {
            return equality(bare(in.getLeftExpression()), List.copyOf(list), parametersBefore);
        }
        return Optional.empty();
    }

    private static Optional<Equality> equality(
            Expression column, List<? extends Expression> values, int parametersBefore) {
        if (!isColumn(column)) {
            return Optional.empty();
        }
        List<Operand> operands = new ArrayList<>();
        for (Expression value : values) {
            Optional<Operand> operand = operand(bare(value), parametersBefore);
            if (operand.isEmpty()) {
                return Optional.empty();
            }
            operands.add(operand.get());
        }
        Column of = (Column) column;
        String qualifier = of.getTable() == null ? null : of.getTable().getFullyQualifiedName();
        return Optional.of(new Equality(
                qualifier == null || qualifier.isEmpty() ? null : qualifier, of.getColumnName(), operands));
    }

    private static Optional<Operand> operand(Expression value, int parametersBefore) {
        if (value instanceof JdbcParameter parameter) {
            return Optional.of(new Operand(parametersBefore + parameter.getIndex(), "", false));
        }
        if (value instanceof StringValue text) {
            return Optional.of(new Operand(0, text.getValue().replace("''", "'"), false));
        }
        if (value instanceof LongValue
                || value instanceof DoubleValue
                || value instanceof BooleanValue
                || (value instanceof SignedExpression signed && signed.getExpression() instanceof LongValue)) {
            return Optional.of(new Operand(0, value.toString(), false));
        }
        return any(value)
                .flatMap(array -> operand(array, parametersBefore))
                .map(array -> new Operand(array.parameter(), array.constant(), true));
    }

    /** {@code ANY (array)}, which the parser takes for a function. */
    private static Optional<Expression> any(Expression value) {
        if (value instanceof Function function
                && function.getName().equalsIgnoreCase("any")
                && function.getParameters() != null
                && function.getParameters().size() == 1) {
            return Optional.of(bare(function.getParameters().get(0)));
        }
        return Optional.empty();
    }

    private static boolean isColumn(Expression expression) {
        return expression instanceof Column column
                && !Set.of("true", "false", "default")
                        .contains(column.getColumnName().toLowerCase(Locale.ROOT));
    }

    /** Without parentheses and casts around. */
    private static Expression bare(Expression expression) {
        if (expression instanceof CastExpression cast) {
            return bare(cast.getLeftExpression());
        }
        if (expression instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
            return bare(list.get(0));
        }
        return expression;
    }

    static Set<String> columns(Expression expression) {
        Walk walk = new Walk();
        expression.accept(walk, null);
        return walk.names;
    }

    /** See {@link SqlShape.Assignment#byTheDatabase}. */
    static boolean byTheDatabase(Expression value) {
        if (value instanceof Select) {
            return true;
        }
        Walk walk = new Walk();
        value.accept(walk, null);
        return !walk.names.isEmpty() || walk.hasQuery || !walk.hasValue;
    }

    static boolean aggregates(Expression expression) {
        Walk walk = new Walk();
        expression.accept(walk, null);
        return walk.aggregates;
    }

    static boolean hasExists(Expression expression) {
        Walk walk = new Walk();
        expression.accept(walk, null);
        return walk.hasExists || (walk.hasQuery && walk.aggregatesInside);
    }

    /** What an expression is made of. */
    private static final class Walk extends ExpressionVisitorAdapter<Void> {
        private final Set<String> names = new LinkedHashSet<>();
        private boolean hasValue;
        private boolean hasQuery;
        private boolean hasExists;
        private boolean aggregates;
        private boolean aggregatesInside;

        @Override
        public <S> Void visit(Column column, S context) {
            if (isColumn(column)) {
                names.add(column.getColumnName());
            } else if (!column.getColumnName().equalsIgnoreCase("default")) {
                hasValue = true;
            }
            return null;
        }

        @Override
        public <S> Void visit(JdbcParameter parameter, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(StringValue value, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(LongValue value, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(DoubleValue value, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(BooleanValue value, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(NullValue value, S context) {
            hasValue = true;
            return null;
        }

        @Override
        public <S> Void visit(Function function, S context) {
            aggregates |= AGGREGATES.contains(function.getName().toLowerCase(Locale.ROOT));
            return super.visit(function, context);
        }

        @Override
        public <S> Void visit(AnalyticExpression expression, S context) {
            aggregates |= AGGREGATES.contains(expression.getName().toLowerCase(Locale.ROOT));
            return super.visit(expression, context);
        }

        @Override
        public <S> Void visit(ExistsExpression exists, S context) {
            hasExists = true;
            return super.visit(exists, context);
        }

        @Override
        public <S> Void visit(ParenthesedSelect query, S context) {
            hasQuery = true;
            if (query.getSelect() instanceof PlainSelect inner) {
                aggregatesInside |= inner.getSelectItems().stream().anyMatch(item -> aggregates(item.getExpression()));
            }
            return null;
        }
    }
}
