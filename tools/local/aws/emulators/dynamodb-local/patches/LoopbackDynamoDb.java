import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.AbstractLocalDynamoDBServerHandler;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import java.io.File;
import java.io.OutputStream;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * DynamoDB Local on loopback only, at a port that the kernel chooses and this program prints. It exits when standard
 * input ends, so that a killed parent leaves no orphan. DynamoDB Local itself binds every interface and has no option
 * for it, hence the reflection. This program removes its folder for temporary files, where SQLite leaves a library.
 * A request with the method DELETE ends its caller's database.
 *
 * Remove when DynamoDB Local has an option for its address, refuses a foreign Host and Origin, ends a database when asked,
 * and exits with its parent.
 */
class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    var proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    var server = (Server) hidden(proxy, DynamoDBProxyServer.class, "server");
    var connector = (ServerConnector) server.getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    server.setHandler(new Guard(server.getHandler(), databasesOf(proxy)));
    proxy.start();
    System.out.println("listening " + connector.getLocalPort());
    System.in.transferTo(OutputStream.nullOutputStream());
    // Data are on the disk before each response, so an immediate exit loses nothing.
    try {
      removeTemporaryFiles();
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static Object hidden(Object owner, Class<?> type, String name) throws Exception {
    var field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  private static Databases databasesOf(DynamoDBProxyServer proxy) throws Exception {
    var calls = hidden(proxy, DynamoDBProxyServer.class, "serverHandler");
    var operations = hidden(calls, AbstractLocalDynamoDBServerHandler.class, "primaryHandler");
    @SuppressWarnings("unchecked")
    var all = (Map<String, AmazonDynamoDBLocal>)
        hidden(operations, LocalDynamoDBRequestHandler.class, "dbRequestHandlers");
    return new Databases(operations, all);
  }

  /** A database looks for work every second until it ends, also when nobody uses it any more. */
  private record Databases(Object lock, Map<String, AmazonDynamoDBLocal> all) {
    /** The database of an access key in each region. */
    void end(String accessKey) {
      // Under the lock with which DynamoDB Local makes them.
      synchronized (lock) {
        all.entrySet().removeIf(entry -> {
          var isOwn = entry.getKey().startsWith(accessKey + "_");
          if (isOwn) entry.getValue().shutdownNow();
          return isOwn;
        });
      }
    }
  }

  /** Refuses requests of web pages, as the other servers of the stack do. */
  private static class Guard extends Handler.Wrapper {
    private static final Pattern OWN = Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
    private static final Pattern CALLER = Pattern.compile("Credential=([A-Za-z0-9]+)/");
    private final Databases databases;

    Guard(Handler handler, Databases databases) {
      super(handler);
      this.databases = databases;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      var headers = request.getHeaders();
      var host = headers.get(HttpHeader.HOST);
      var isOwn = host != null && OWN.matcher(host).matches() && headers.get(HttpHeader.ORIGIN) == null;
      if (isOwn && !HttpMethod.DELETE.is(request.getMethod())) return super.handle(request, response, callback);
      if (isOwn) end(String.valueOf(headers.get(HttpHeader.AUTHORIZATION)), callback);
      else Response.writeError(request, response, callback, 403);
      return true;
    }

    private void end(String authorization, Callback callback) {
      var caller = CALLER.matcher(authorization);
      if (caller.find()) databases.end(caller.group(1));
      callback.succeeded();
    }
  }

  private static void removeTemporaryFiles() {
    var folder = new File(System.getProperty("java.io.tmpdir"));
    for (var file : folder.listFiles()) file.delete();
    folder.delete();
  }
}
